"""Tables of workbooks and delimited files: where they stand on a sheet, their headers, titles and notes."""
