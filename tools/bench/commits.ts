import pg from 'pg';

/** Transactions that a database has committed. */
export async function commitsOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ commits: number }>(
      'SELECT xact_commit::int AS commits FROM pg_stat_database WHERE datname = current_database()',
    );
    return rows[0]?.commits ?? 0;
  } finally {
    await client.end();
  }
}
