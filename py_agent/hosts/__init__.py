"""Hosts: one folder per platform, each implementing the ports of the same file names."""
