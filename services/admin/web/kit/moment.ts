/** A time of a field `datetime-local`, as the API takes it; what is none goes to the server as it is, which says so. */
export function momentIn(typed: string): string {
  const when = new Date(typed);
  return Number.isNaN(when.getTime()) ? typed : when.toISOString();
}
