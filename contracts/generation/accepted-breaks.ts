/**
 * Differences to the last release that are taken, as the test names them, each with the reason why nobody fails: nobody
 * asks so any more, or the version before is no longer supported beside this one. Empty after `npm run release:freeze`.
 */
export const accepted: Readonly<Record<string, string>> = {};

/** Published events whose new version breaks readers of the version before, as the test names them, each with the reason. */
export const acceptedEventBreaks: Readonly<Record<string, string>> = {
  'contact.updated v3 breaks readers of v2: data.change: the value "number" was added, which readers do not know':
    'A contact that moves to another number is neither created nor deleted. Webhooks with payload version 1 receive `updated`.',
};
