/** A notification that is mailed. */
export interface Mailed {
  readonly title: string;
  readonly body: string;
  readonly count: number;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/**
 * What a member is mailed.
 *
 * @param unread how many there are; those that are not shown are counted
 * @param publicUrl where the pages are
 */
export function digestOf(
  shown: readonly Mailed[],
  unread: number,
  publicUrl: string | undefined,
): { readonly subject: string; readonly text: string } {
  const lines = shown.map(
    ({ title, body, count }) => `- ${oneLine(title)}${count > 1 ? ` (${count})` : ''}: ${oneLine(body)}`,
  );
  const further = unread - shown.length;
  return {
    subject: unread === 1 ? '1 unread notification' : `${unread} unread notifications`,
    text: [
      ...lines,
      ...(further > 0 ? [`- and ${further} more`] : []),
      '',
      ...(publicUrl === undefined ? [] : [`${publicUrl}/notifications`, '']),
      'You are mailed this because the preference "by mail too" is on. At most every 15 minutes.',
    ].join('\n'),
  };
}
