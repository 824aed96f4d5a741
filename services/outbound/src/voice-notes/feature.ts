import { mediaSources } from '@messaging-gateway/media';
import { feature, type ServiceTools } from '@messaging-gateway/service';
import type { OutboundSettings } from '../config.ts';
import { voiceNoteMetrics } from './metrics.ts';
import { VoiceNotes } from './voice-notes.ts';
import { removeLeftWorkplaces } from './workplaces.ts';

/** Audio that is to be played as a voice note: converted where ffmpeg is there. */
export const voiceNotes = feature({
  name: 'voice notes',
  connect: ({ settings, media, clock, metrics: registry }: ServiceTools<OutboundSettings>) => {
    const sources = mediaSources({ store: media, policy: { allowPrivate: settings.allowPrivateTargets } });
    const metrics = voiceNoteMetrics(registry);
    const notes = new VoiceNotes({ program: settings.ffmpeg, sources, store: media, clock, metrics });
    return {
      api: notes.make,
      running: [{ start: () => removeLeftWorkplaces(), stop: async () => notes.stop() }],
    };
  },
});
