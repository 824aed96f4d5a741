import { internalOperations, operations } from '@messaging-gateway/contracts';
import type { ServiceDefinition } from '../definition.ts';

/**
 * Faults of a service's rows: promises of the catalogue that they do not hold, and rows that no catalogue knows: one sentence
 * each. Empty when they agree.
 *
 * @param atRunTime names of operations that the service serves by `serveRoute`
 */
export function catalogueCheck(
  { name, rows }: Pick<ServiceDefinition, 'name' | 'rows'>,
  atRunTime: readonly string[] = [],
): string[] {
  const bound = rows.filter((row) => row.row !== 'reaction').map(({ row, contract }) => ({ row, contract }));
  const names = bound.map(({ contract }) => contract.name).concat(atRunTime);
  const owned = [...operations, ...internalOperations].filter((contract) => contract.owner === name);
  return [
    ...owned
      .filter((contract) => !names.includes(contract.name))
      .map((contract) => `${contract.name} has no handler in ${name}.`),
    ...bound
      .filter(({ contract }) => !owned.some((known) => known === contract))
      .map(({ contract }) => `${contract.name} is bound by ${name} and not in its catalogue.`),
    ...names
      .filter((bindingName, index) => names.indexOf(bindingName) !== index)
      .map((twice) => `${twice} is bound twice in ${name}.`),
  ];
}
