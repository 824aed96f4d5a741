import { standardToolNames, type Fault, type OwnTool } from '@messaging-gateway/contracts';
import { resolvedTargetFault, type TargetPolicy } from '@messaging-gateway/target-guard';
import { parameterFaults } from './parameters.ts';

/** What a schema cannot say is wrong with tools of a tenant. @param at the path of their list */
export async function ownToolFaults(tools: readonly OwnTool[], at: string, policy: TargetPolicy): Promise<Fault[]> {
  const names: string[] = [...standardToolNames];
  const faults: Fault[] = [];
  for (const [place, { name, parameters, url }] of tools.entries()) {
    const path = `${at}[${place}]`;
    if (names.includes(name)) faults.push({ path: `${path}.name`, message: 'is the name of another tool' });
    names.push(name);
    faults.push(...parameterFaults(parameters as Readonly<Record<string, unknown>>, `${path}.parameters`));
    const message = await resolvedTargetFault(url, policy);
    if (message !== undefined) faults.push({ path: `${path}.url`, message });
  }
  return faults;
}
