import { SessionGroupNamed } from '@messaging-gateway/contracts';
import { feature, batchedReaction, type ServiceTools } from '@messaging-gateway/service';
import { groupNames } from './0004-group-names.migration.ts';
import { groupNamesView, groupNameStream, nameGroup } from './group-name.ts';

/** Names of groups. */
export const groups = feature({
  name: 'groups',
  streams: [groupNameStream],
  views: [groupNamesView],
  migrations: [groupNames],
  connect: (tools: ServiceTools<unknown>) => ({
    hears: [batchedReaction(SessionGroupNamed, (data, event) => nameGroup(tools, data, event))],
    personalData: { tables: ['group_names'] },
  }),
});
