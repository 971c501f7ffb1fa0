def add_one(x: int) -> int:
    """Adds one to a number."""
    return x + 1
