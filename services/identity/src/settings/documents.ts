import { actorOf, type OperationInput } from '@messaging-gateway/service';
import { aboutOrganization } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { documentStream, type Document } from './document.ts';

export const smtpStream = documentStream('smtp-settings', { password: 'host' });
export const storageStream = documentStream('storage-settings');
export const integrationsStream = documentStream('integrations', { chatwoot: { apiToken: 'url' } });

type Stream = typeof smtpStream;

/** Caller whose organization's settings are meant. */
export interface OfOrganization {
  readonly caller: { readonly organizationId: string };
}

/** Settings of an organization, with their secrets. */
export async function readDocument<Shape extends object>(
  { store }: Pick<IdentityTools, 'store'>,
  stream: Stream,
  organizationId: string,
): Promise<Shape> {
  return (await store.load(stream, organizationId)).state as Shape;
}

/** Changes the fields that are given. @returns the whole, with its secrets */
export async function changeDocument<Shape extends object>(
  { store }: IdentityTools,
  stream: Stream,
  change: object,
  { caller, context }: OperationInput<unknown>,
): Promise<Shape> {
  const { state } = await store.handle(
    stream,
    caller.organizationId,
    { change: change as Document },
    {
      metadata: aboutOrganization(caller.organizationId, context, actorOf(caller)),
      onAppended: context.appended,
    },
  );
  return state as Shape;
}

/** Settings as they would be, for a try before they are kept. */
export function tried<Shape extends object>(stream: Stream, kept: Shape, given: object | undefined): Shape {
  const [changed] = stream.decider.decide({ change: (given ?? {}) as Document }, kept as Document);
  return changed === undefined ? kept : (changed.data.document as Shape);
}

/** Outcome of a try. */
export interface Outcome {
  readonly success: boolean;
  readonly message: string;
}
