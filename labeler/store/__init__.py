"""The study's database: schema, engine, repositories, migration, backup, check."""
