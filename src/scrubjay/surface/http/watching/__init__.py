"""What the server tells those who run it: logs, metrics, traces, and the audit log."""
