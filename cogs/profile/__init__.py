"""What a person chooses: `/me`."""
