"""A step's plan: its questions, and what is expected of the answers. No torch, no worker."""
