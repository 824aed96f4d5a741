/** A time of a field `datetime-local`, as the API takes it; what is none goes to the server as it is, which says so. */
export function momentIn(typed: string): string {
  const when = new Date(typed);
  return Number.isNaN(when.getTime()) ? typed : when.toISOString();
}

/** A time as a field `datetime-local` takes it, in the zone of the browser. */
export function typedMoment(moment: string): string {
  const when = new Date(moment);
  return new Date(when.getTime() - when.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
