"""The pictures of stage 6."""
