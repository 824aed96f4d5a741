import type { BodyOf, StorageSettings, UpdateStorageSettings } from '@messaging-gateway/contracts';
import { tryBucket } from '@messaging-gateway/media';
import type { OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { IdentityTools } from '../tools.ts';
import { changeDocument, readDocument, storageStream, tried, type OfOrganization, type Outcome } from './documents.ts';
import { assertTargets } from './targets.ts';

interface Storage {
  readonly type?: 'local' | 's3';
  readonly endpoint?: string;
  readonly bucket?: string;
  readonly region?: string;
  readonly accessKey?: string;
  readonly secretKey?: string;
  readonly forcePathStyle?: boolean;
}
type Shown = Static<typeof StorageSettings>;
type Given = BodyOf<typeof UpdateStorageSettings>;

const shown = ({ secretKey, ...settings }: Storage): Shown => ({
  type: settings.type ?? 'local',
  endpoint: settings.endpoint ?? null,
  bucket: settings.bucket ?? null,
  region: settings.region ?? null,
  accessKey: settings.accessKey ?? null,
  hasSecretKey: secretKey !== undefined,
  forcePathStyle: settings.forcePathStyle ?? true,
});

export const getStorage = async (tools: IdentityTools, { caller }: OfOrganization): Promise<Shown> =>
  shown(await readDocument<Storage>(tools, storageStream, caller.organizationId));

export async function updateStorage(tools: IdentityTools, input: OperationInput<Given>): Promise<Shown> {
  const policy = { allowPrivate: tools.settings.allowPrivateTargets };
  await assertTargets({ 'body.endpoint': input.body.endpoint }, policy);
  return shown(await changeDocument<Storage>(tools, storageStream, input.body, input));
}

/** Writes an object, reads it and deletes it. */
export async function testStorage(tools: IdentityTools, input: OperationInput<Given | undefined>): Promise<Outcome> {
  const { body, caller } = input;
  const policy = { allowPrivate: tools.settings.allowPrivateTargets };
  await assertTargets({ 'body.endpoint': body?.endpoint }, policy);
  const settings = tried(storageStream, await readDocument<Storage>(tools, storageStream, caller.organizationId), body);
  const {
    type = 'local',
    endpoint,
    bucket,
    accessKey,
    secretKey,
    region = 'us-east-1',
    forcePathStyle = true,
  } = settings;
  if (type === 'local') return { success: true, message: 'Media lie in the store of the installation.' };
  if (endpoint === undefined || bucket === undefined || accessKey === undefined || secretKey === undefined)
    return { success: false, message: 'endpoint, bucket, accessKey and secretKey are needed.' };
  try {
    await tryBucket({ endpoint, bucket, accessKey, secretKey, region, forcePathStyle }, policy);
    return { success: true, message: 'An object was written, read and deleted.' };
  } catch (error) {
    return { success: false, message: `The store cannot be used: ${(error as Error).name}` };
  }
}
