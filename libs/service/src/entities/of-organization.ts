import type { EntityManager } from '@mikro-orm/postgresql';

/** The filter that keeps the rows of organizations apart: in force for every entity that has an `organizationId`. */
export const ofOrganizationFilter = 'ofOrganization';

/** Lets a manager see one organization, from now on. @returns the manager */
export function ofOrganization(em: EntityManager, organizationId: string): EntityManager {
  em.setFilterParams(ofOrganizationFilter, { organizationId });
  return em;
}

/** Options of a query that is not about one organization: upkeep, and whoever is not known yet. */
export const everyOrganization = { filters: { [ofOrganizationFilter]: false } } as const;
