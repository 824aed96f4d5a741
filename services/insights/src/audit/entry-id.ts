/** Ids of entries are UUIDv7: their first 48 bits are the moment of the request, milliseconds since 1970. */
export const timeOfEntry = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** The smallest id of a moment: a bound of partitions and periods. */
export function firstEntryAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
