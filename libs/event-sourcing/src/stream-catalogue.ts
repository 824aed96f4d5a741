import type { AnyStreamType, EventStorage } from './stream-type.ts';

/** Finds how the events of a stream are stored by its name. */
export interface StreamCatalogue {
  /** @throws Error when no stream type is registered for it */
  typeOf(stream: string): AnyStreamType;
  /** How a stored event is kept. @throws Error when the stream type does not know the event */
  storageOf(stream: string, type: string): EventStorage;
}

const uuidLength = 36;

export function streamCatalogue(types: readonly AnyStreamType[]): StreamCatalogue {
  const byName = new Map<string, AnyStreamType>();
  for (const type of types) {
    if (byName.has(type.name)) throw new Error(`Two stream types are called "${type.name}".`);
    byName.set(type.name, type);
  }
  const typeOf = (stream: string): AnyStreamType => {
    const withUuid = byName.get(stream.slice(0, -uuidLength - 1));
    if (withUuid !== undefined) return withUuid;
    for (let dash = stream.lastIndexOf('-'); dash > 0; dash = stream.lastIndexOf('-', dash - 1)) {
      const type = byName.get(stream.slice(0, dash));
      if (type !== undefined) return type;
    }
    throw new Error(`The journal holds the stream "${stream}", but no stream type of that name is registered.`);
  };
  return {
    typeOf,
    storageOf: (stream, type) => storageOf(typeOf(stream), type),
  };
}

/** @throws Error when the stream type does not know the event */
export function storageOf(streamType: AnyStreamType, type: string): EventStorage {
  const storage = streamType.events[type];
  if (storage === undefined)
    throw new Error(`The stream type "${streamType.name}" does not say how the event "${type}" is stored.`);
  return storage;
}

/** Whether any event of the stream type holds personal data. */
export const holdsPersonalData = (streamType: AnyStreamType): boolean =>
  Object.values(streamType.events).some((storage) => (storage.personal?.length ?? 0) > 0);
