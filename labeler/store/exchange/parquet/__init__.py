"""The files of the exchange format as Parquet, which pyarrow reads and writes."""
