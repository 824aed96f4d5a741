import type { EventStore, JournalReader } from '@messaging-gateway/event-sourcing';
import type { BindingTools } from './bindings.ts';
import type { ServiceDatabase } from './database.ts';
import type { ServiceDefinition } from './definition.ts';
import type { ServiceModule } from './module.ts';
import type { Host } from './ports.ts';

/** Parts that a service is made of when it is started. */
export interface Parts {
  readonly module: Pick<ServiceModule<never>, 'name' | 'storage'>;
  readonly host: Host;
  readonly database: ServiceDatabase;
  readonly store: EventStore;
  readonly journal: JournalReader;
  readonly closeJournal: () => Promise<void>;
  readonly definition: ServiceDefinition;
  readonly binding: BindingTools;
}
