import { useState } from 'react';
import { useWrite, wholeList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import type { Results } from '../../groups/results.tsx';
import { useActions } from '../../kit/actions.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts as shared } from '../../groups/texts.ts';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';

type Group = AnswerOf<'GetGroup'>;
type Member = Group['participants'][number];

interface Given {
  readonly group: Group;
  readonly profileId: string;
  readonly onResults: (results: Results) => void;
}

const nameOf = ({ pushName, phone, id }: Member): string => pushName || (phone === '' ? id : `+${phone}`);

/** Members of a group, with actions on each. */
export function Members({ group, profileId, onResults }: Given) {
  const t = useTexts(texts);
  const [leaving, setLeaving] = useState<Member>();
  const promoting = useWrite('PromoteGroupParticipants', 'GetGroup');
  const demoting = useWrite('DemoteGroupParticipants', 'GetGroup');
  const change = async ({ write }: typeof promoting | typeof demoting, { id }: Member) => {
    const done = await write({ params: { groupId: group.id }, body: { profileId, participants: [id] } });
    if (done !== undefined) onResults(done.answer.results);
  };
  const columns = useColumns({
    onRole: (member) => void change(member.isAdmin ? demoting : promoting, member),
    onRemove: setLeaving,
  });
  const problem = promoting.problem ?? demoting.problem;
  return (
    <>
      {problem && <ProblemAlert problem={problem} />}
      <Table
        label={t('members')}
        keyOf={({ id }) => id}
        empty={null}
        pages={wholeList(group.participants)}
        columns={columns}
      />
      {leaving && (
        <RemoveDialog
          member={leaving}
          groupId={group.id}
          profileId={profileId}
          onClose={() => setLeaving(undefined)}
          onResults={(results) => {
            onResults(results);
            setLeaving(undefined);
          }}
        />
      )}
    </>
  );
}

interface Changes {
  readonly onRole: (member: Member) => void;
  readonly onRemove: (member: Member) => void;
}

function useColumns({ onRole, onRemove }: Changes): readonly Column<Member>[] {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const may = useMay();
  const actions = useActions((member: Member) =>
    may('group:manage') && !member.isSuperAdmin
      ? [
          member.isAdmin
            ? { label: t('demote'), icon: 'down', onSelect: () => onRole(member) }
            : { label: t('promote'), icon: 'up', onSelect: () => onRole(member) },
          { label: t('remove'), icon: 'trash', danger: true, onSelect: () => onRemove(member) },
        ]
      : [],
  );
  return [
    { heading: of('name'), cell: (member) => <bdi>{nameOf(member)}</bdi> },
    { heading: t('phone'), isWide: true, cell: ({ phone }) => <bdi dir="ltr">{phone && `+${phone}`}</bdi> },
    {
      heading: t('role'),
      cell: ({ isAdmin, isSuperAdmin }) => t(isSuperAdmin ? 'owner' : isAdmin ? 'admin' : 'member'),
    },
    actions,
  ];
}

interface RemoveGiven {
  readonly member: Member;
  readonly groupId: string;
  readonly profileId: string;
  readonly onClose: () => void;
  readonly onResults: (results: Results) => void;
}

/** Asks before somebody is taken out of a group; the network's word on it is shown. */
function RemoveDialog({ member, groupId, profileId, onClose, onResults }: RemoveGiven) {
  const t = useTexts(texts);
  return (
    <ConfirmDialog
      title={t('remove')}
      operation="RemoveGroupParticipants"
      request={{ params: { groupId }, body: { profileId, participants: [member.id] } }}
      rereads={['GetGroup', 'ListGroups']}
      onClose={onClose}
      onDone={({ results }) => onResults(results)}
    >
      {t('removeText', { person: nameOf(member) })}
    </ConfirmDialog>
  );
}
