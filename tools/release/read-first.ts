/**
 * Events that this version reads and the last release does not, as the test names them, each with what keeps them from
 * being written while processes of that release run: the next version writes them, or a switch that is turned on after the
 * update, or why it does no harm. Empty after `npm run release:freeze`.
 */
export const readFirst: Readonly<Record<string, string>> = {
  'inbox message MessageRecovered v1':
    'written only for a message that was stored without content, which the last release never stores',
};
