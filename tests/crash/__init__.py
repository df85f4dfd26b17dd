"""Crashes: processes killed at every write, full disks, damaged files, two owners."""
