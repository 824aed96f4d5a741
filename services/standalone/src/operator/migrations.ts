import { gatewayMigrations } from '@messaging-gateway/gateway';
import { migrationSets, type MigrationSet } from '@messaging-gateway/service';
import { modules } from '../services.ts';

/** Migrations, by schema. */
export const migrations: Readonly<Record<string, readonly MigrationSet[]>> = {
  gateway: [gatewayMigrations],
  ...Object.fromEntries(modules.map(({ storage, migrations: own }) => [storage.schema, migrationSets(own)])),
};
