"""The Discord side: reads commands and clicks, calls a service, and shows the result."""
