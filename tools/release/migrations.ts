import { stepsOf } from '@messaging-gateway/service';
import { migrations } from '../../services/standalone/src/operator/migrations.ts';

/** Checksums of all steps, by schema and name. */
export type FrozenMigrations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** All steps of all schemas, oldest first. */
export const allSteps = Object.entries(migrations).map(([schema, sets]) => ({ schema, steps: stepsOf(schema, sets) }));

export const frozenMigrations = (): FrozenMigrations =>
  Object.fromEntries(
    allSteps.map(({ schema, steps }) => [
      schema,
      Object.fromEntries(steps.map(({ name, checksum }) => [name, checksum])),
    ]),
  );
