import { OfNewerVersion } from './unreadable.ts';
import type { AnyStreamType, EventStorage } from './stream-type.ts';

/** Finds how the events of a stream are stored by its name. */
export interface StreamCatalogue {
  /** undefined: no stream type is registered for it */
  typeOf(stream: string): AnyStreamType | undefined;
  /** How a stored event is kept. @throws OfNewerVersion when neither the stream nor the event is known */
  storageOf(stream: string, type: string): EventStorage;
}

const uuidLength = 36;

export function streamCatalogue(types: readonly AnyStreamType[]): StreamCatalogue {
  const byName = new Map<string, AnyStreamType>();
  for (const type of types) {
    if (byName.has(type.name)) throw new Error(`Two stream types are called "${type.name}".`);
    byName.set(type.name, type);
  }
  const typeOf = (stream: string): AnyStreamType | undefined => {
    const withUuid = byName.get(stream.slice(0, -uuidLength - 1));
    if (withUuid !== undefined) return withUuid;
    for (let dash = stream.lastIndexOf('-'); dash > 0; dash = stream.lastIndexOf('-', dash - 1)) {
      const type = byName.get(stream.slice(0, dash));
      if (type !== undefined) return type;
    }
    return undefined;
  };
  return {
    typeOf,
    storageOf: (stream, type) => {
      const streamType = typeOf(stream);
      if (streamType === undefined)
        throw new OfNewerVersion(
          `The journal holds the stream "${stream}", but no stream type of that name is registered.`,
        );
      return storageOf(streamType, type);
    },
  };
}

/** @throws OfNewerVersion when the stream type does not know the event */
export function storageOf(streamType: AnyStreamType, type: string): EventStorage {
  const storage = streamType.events[type];
  if (storage === undefined)
    throw new OfNewerVersion(`The stream type "${streamType.name}" does not say how the event "${type}" is stored.`);
  return storage;
}

/** Whether any event of the stream type holds personal data. */
export const holdsPersonalData = (streamType: AnyStreamType): boolean =>
  Object.values(streamType.events).some((storage) => (storage.personal?.length ?? 0) > 0);
