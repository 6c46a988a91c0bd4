"""The MCP server: `scrubjay mcp`, over stdio and streamable HTTP."""
