import { check } from '@messaging-gateway/contracts';
import { Refused, type CommandQueue, type ConsumerHome } from '@messaging-gateway/messaging';
import type { BindingTools } from './bindings.ts';
import type { CommandRow } from './definition.ts';

const delaysMs = [100, 1_000, 5_000, 30_000];

/** Takes a command from the queue. Data that do not fit the contract end among the dead letters, in the service's schema. */
export function commandRow(
  row: CommandRow,
  owner: string,
  commands: CommandQueue,
  tools: BindingTools,
  home: ConsumerHome,
): Promise<() => Promise<void>> {
  const { name, data: schema } = row.contract;
  return commands.handle(
    owner,
    name,
    async (command) => {
      const faults = check(schema, command.data, 'data');
      if (faults.length > 0) throw new Refused('VALIDATION_ERROR', `The data of ${name} is not valid.`, faults);
      const begun = performance.now();
      await row.handler(command.data as never, command);
      tools.metrics.operation(name, 'ok', (performance.now() - begun) / 1000);
    },
    { delaysMs, home, onGivenUp: () => tools.metrics.deadLetter(name) },
  );
}
