# The bot in a container: pinned packages, a user without rights, a root that is never written.
# The base is named by its digest, so that each build has the same one (docs/operating.md tells how to look it up):
#   docker build --build-arg BASE=python:3.11-slim-bookworm@sha256:… .
ARG BASE

FROM ${BASE} AS build
ARG BASE
RUN case "$BASE" in *@sha256:*) ;; *) echo "BASE needs a digest: NAME:TAG@sha256:…" >&2; exit 1 ;; esac
WORKDIR /build
# For a database on a PostgreSQL server:  docker build --build-arg PACKAGES=postgres .
ARG PACKAGES=runtime
COPY requirements/${PACKAGES}.txt packages.txt
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r packages.txt
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY render render
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM ${BASE}
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin canasta \
    && install -d -o canasta -g canasta -m 0700 /data
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 CANASTA_DATABASE=/data/canasta.db
USER 10001:10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m --retries=3 CMD ["canasta-bot", "health"]
ENTRYPOINT ["canasta-bot"]
CMD ["run"]
