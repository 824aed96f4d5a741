import type { GetIntegrationsStatus } from '@messaging-gateway/contracts';
import type { InputOf, Sql } from '@messaging-gateway/service';

/** How the bridge of an organization goes. */
export async function statusOfBridge(
  { sql }: { readonly sql: Sql },
  { caller }: InputOf<typeof GetIntegrationsStatus>,
): Promise<object> {
  const [row] = await sql.query<{
    last_success_at: Date | null;
    last_error_at: Date | null;
    last_error: string | null;
  }>('SELECT last_success_at, last_error_at, last_error FROM chatwoot_bridges WHERE organization_id = $1', [
    caller.organizationId,
  ]);
  const [counted] = await sql.query<{ backlog: number }>(
    'SELECT count(*)::int AS backlog FROM chatwoot_outbox WHERE organization_id = $1',
    [caller.organizationId],
  );
  return {
    chatwoot: {
      lastSuccessAt: row?.last_success_at?.toISOString() ?? null,
      lastErrorAt: row?.last_error_at?.toISOString() ?? null,
      lastError: row?.last_error ?? null,
      backlog: counted?.backlog ?? 0,
    },
  };
}
