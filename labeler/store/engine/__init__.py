"""The database: connections, transactions, migrations, locks, durable files."""
