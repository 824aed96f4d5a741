import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import type { Results } from '../../groups/results.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form, ShowAsCurl } from '../../kit/form.tsx';
import { Menu } from '../../kit/menu.tsx';
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
  const { participants: items } = group;
  return (
    <>
      {problem && <ProblemAlert problem={problem} />}
      <Table
        label={t('members')}
        keyOf={({ id }) => id}
        empty={null}
        pages={{
          items,
          total: items.length,
          isTotalKnown: true,
          problem: undefined,
          isLoading: false,
          hasMore: false,
          isLoadingMore: false,
          loadMore: () => undefined,
          retry: () => undefined,
        }}
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
  return [
    { heading: of('name'), cell: (member) => <bdi>{nameOf(member)}</bdi> },
    { heading: t('phone'), isWide: true, cell: ({ phone }) => <bdi dir="ltr">{phone && `+${phone}`}</bdi> },
    {
      heading: t('role'),
      cell: ({ isAdmin, isSuperAdmin }) => t(isSuperAdmin ? 'owner' : isAdmin ? 'admin' : 'member'),
    },
    {
      heading: t('actions'),
      isHeadingHidden: true,
      className: 'w-12',
      cell: (member) =>
        may('group:manage') &&
        !member.isSuperAdmin && (
          <Menu
            label={t('actions')}
            items={[
              member.isAdmin
                ? { label: t('demote'), icon: 'down', onSelect: () => onRole(member) }
                : { label: t('promote'), icon: 'up', onSelect: () => onRole(member) },
              { label: t('remove'), icon: 'trash', danger: true, onSelect: () => onRemove(member) },
            ]}
          />
        ),
    },
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
  const { write, problem, isBusy } = useWrite('RemoveGroupParticipants', 'GetGroup', 'ListGroups');
  const request = { params: { groupId }, body: { profileId, participants: [member.id] } };
  const submit = async () => {
    const done = await write(request);
    if (done !== undefined) onResults(done.answer.results);
  };
  return (
    <Dialog role="alertdialog" title={t('remove')} onClose={onClose}>
      <Form onSubmit={submit} problem={problem}>
        <p className="text-muted">{t('removeText', { person: nameOf(member) })}</p>
        <ShowAsCurl name="RemoveGroupParticipants" request={request} />
        <div className="flex justify-end">
          <Button type="submit" kind="danger" busy={isBusy}>
            {t('delete')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
