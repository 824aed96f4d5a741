import { placeOfMedia } from '@messaging-gateway/contracts';
import type { MediaSources } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';

/** Media for messages of one organization: keys of another one lead nowhere, wherever they come from. */
export const ownMedia = (organizationId: string, sources: MediaSources): MediaSources => ({
  open: async (source, kind, options) => {
    if ('key' in source && placeOfMedia(source.key)?.organizationId !== organizationId)
      throw new Refused('MEDIA_UNAVAILABLE', 'There are no such media.');
    return sources.open(source, kind, options);
  },
});
