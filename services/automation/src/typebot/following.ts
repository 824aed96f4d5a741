import { ListIntegrations, namedUuids, ReadIntegrations } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { openedFor } from '@messaging-gateway/runtime';
import { ofOrganization, type ServiceTools } from '@messaging-gateway/service';
import { answererStream, type AnswererDocument } from '../answerers/answerer.ts';
import { definitionOf } from '../answerers/answerer-records.ts';
import { AnswererEntity } from '../answerers/answerers-view.ts';
import { usualExpireMinutes, type TypebotDefinition, type TypebotSettings } from './definition.ts';

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'em' | 'encryption' | 'store'>;

const idOf = namedUuids('c1f0b7a4-5b1e-5e63-9d2b-7a5a3c6f1d09');
/** An organization has one. */
const answererIdOf = (organizationId: string): string => idOf(`typebot ${organizationId}`);
const together = 200;

/**
 * Makes the answerer of an organization what its settings say. An older state never takes the place of a newer one: when the
 * settings were changed meanwhile, they are asked for once more.
 */
export async function followSettings(
  tools: Tools,
  organizationId: string,
  metadata: EventMetadata,
  changed: () => void,
): Promise<void> {
  const { ask, clock, em, encryption, store } = tools;
  const answererId = answererIdOf(organizationId);
  for (let isNewest = false; !isNewest;) {
    const { version, settings } = await ask(ReadIntegrations, { organizationId });
    const { typebot = {} } = openedFor(encryption, organizationId, settings) as { typebot?: TypebotSettings };
    const row = await ofOrganization(em(), organizationId).findOne(AnswererEntity, { id: answererId });
    if (row !== null && (definitionOf(row) as TypebotDefinition).settingsVersion >= version) return;
    const wanted = documentOf(typebot, version);
    // Nobody has ever said anything of it.
    if (row === null && wanted.definition['apiUrl'] === '') return;
    const about = { answererId, at: new Date(clock.now()).toISOString() };
    const { profileId: _, kind: __, ...changes } = wanted;
    await store.handle(answererStream, answererId, { type: 'Create', document: wanted, ...about }, { metadata });
    await store.handle(answererStream, answererId, { type: 'Change', changes, ...about }, { metadata });
    changed();
    isNewest = (await ask(ReadIntegrations, { organizationId })).version === version;
  }
}

function documentOf(
  {
    apiUrl = '',
    botId = '',
    enabled = false,
    profileIds,
    trigger,
    expireMinutes = usualExpireMinutes,
    ignoreGroups = true,
  }: TypebotSettings,
  settingsVersion: number,
): AnswererDocument {
  const definition: TypebotDefinition = {
    settingsVersion,
    apiUrl,
    botId,
    ...(profileIds !== undefined && { profileIds }),
    keywords: trigger?.keywords ?? [],
    expireMinutes,
    ignoreGroups,
  };
  return {
    kind: 'typebot',
    profileId: null,
    name: 'Typebot',
    enabled: enabled && apiUrl !== '' && botId !== '',
    priority: 0,
    definition,
  };
}

/** Looks at all organizations that have set something: what was set before this service heard of it is learnt so. */
export async function followAll(
  tools: Tools,
  metadataOf: (organizationId: string) => EventMetadata,
  changed: (organizationId: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let after: string | undefined;
  do {
    const asked = { limit: together, ...(after !== undefined && { after }) };
    const { organizationIds, next } = await tools.ask(ListIntegrations, asked);
    for (const organizationId of organizationIds) {
      if (signal.aborted) return;
      await followSettings(tools, organizationId, metadataOf(organizationId), () => changed(organizationId));
    }
    after = next ?? undefined;
  } while (after !== undefined && !signal.aborted);
}
