import type { Logger } from '@messaging-gateway/runtime';
import { MikroORM, type Dictionary, type EntityManager, type EntitySchema } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { BindingDriver } from './binding-driver.ts';
import { ofOrganization, ofOrganizationFilter } from './of-organization.ts';
import { poolDialect } from './pool-dialect.ts';

/** The entities of a service. */
export interface Entities {
  /** A manager of its own for a request, a job or a reaction. @param organizationId the only one that it sees */
  readonly manager: (organizationId?: string) => EntityManager;
}

/**
 * Opens entities on the pool of a service, whose connections, limits and errors they share with its SQL. A manager that was
 * given no organization refuses to read entities that have an `organizationId`, unless it is asked for `everyOrganization`.
 *
 * @see docs/decisions/0670-entities-and-sql.md
 */
export function entityManagers(pool: Pool, schema: string, entities: readonly EntitySchema[], log: Logger): Entities {
  const tenants = entities.filter(({ meta }) => meta.properties['organizationId'] !== undefined);
  const orm = new MikroORM({
    driver: BindingDriver,
    driverOptions: poolDialect(pool),
    // The connections are those of the pool, whatever is said here.
    dbName: schema,
    ensureDatabase: false,
    schema,
    entities: [...entities],
    filters: {
      [ofOrganizationFilter]: {
        name: ofOrganizationFilter,
        entity: tenants,
        default: true,
        cond: ({ organizationId }: Dictionary) => ({ organizationId }),
      },
    },
    autoJoinRefsForFilters: false,
    logger: (message) => log.debug(message),
  });
  return {
    manager: (organizationId) => {
      const em = orm.em.fork();
      return organizationId === undefined ? em : ofOrganization(em, organizationId);
    },
  };
}
