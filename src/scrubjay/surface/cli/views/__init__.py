"""What people see: results drawn with Rich."""
