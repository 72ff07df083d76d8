"""Files with motions: tables, arrays and messages, read with units and the line of each error."""
