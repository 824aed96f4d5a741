import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  above: { en: 'Groups', id: 'Grup', ar: 'المجموعات' },
  edit: { en: 'Edit', id: 'Ubah', ar: 'تعديل' },
  save: { en: 'Save', id: 'Simpan', ar: 'حفظ' },
  saved: { en: 'Saved.', id: 'Tersimpan.', ar: 'تم الحفظ.' },
  add: { en: 'Add participants', id: 'Tambah peserta', ar: 'إضافة مشاركين' },
  addSubmit: { en: 'Add', id: 'Tambah', ar: 'إضافة' },
  members: { en: 'Participants', id: 'Peserta', ar: 'المشاركون' },
  phone: { en: 'Phone', id: 'Telepon', ar: 'الهاتف' },
  role: { en: 'Role', id: 'Peran', ar: 'الدور' },
  owner: { en: 'Made the group', id: 'Pembuat grup', ar: 'منشئ المجموعة' },
  admin: { en: 'Admin', id: 'Admin', ar: 'مشرف' },
  member: { en: 'Member', id: 'Anggota', ar: 'عضو' },
  promote: { en: 'Make admin', id: 'Jadikan admin', ar: 'ترقية إلى مشرف' },
  demote: { en: 'Take admin away', id: 'Cabut admin', ar: 'إلغاء الإشراف' },
  remove: { en: 'Remove', id: 'Keluarkan', ar: 'إزالة' },
  removeText: {
    en: '{person} is taken out of the group.',
    id: '{person} dikeluarkan dari grup.',
    ar: 'يُخرج {person} من المجموعة.',
  },
  leave: { en: 'Leave group', id: 'Keluar dari grup', ar: 'مغادرة المجموعة' },
  leaveText: {
    en: 'The number leaves the group. Only somebody in it can let it in again; messages stay stored.',
    id: 'Nomor keluar dari grup. Hanya anggota yang dapat memasukkannya lagi; pesan tetap tersimpan.',
    ar: 'يغادر الرقم المجموعة. لا يعيده إلا أحد أعضائها؛ تبقى الرسائل محفوظة.',
  },
  left: { en: 'The group was left.', id: 'Sudah keluar dari grup.', ar: 'تمت مغادرة المجموعة.' },
  invite: { en: 'Invite link', id: 'Tautan undangan', ar: 'رابط الدعوة' },
  inviteHint: {
    en: 'Whoever has it can join until it is revoked.',
    id: 'Siapa pun yang memilikinya dapat bergabung sampai dicabut.',
    ar: 'كل من لديه الرابط يستطيع الانضمام حتى يُلغى.',
  },
  revoke: { en: 'Revoke link', id: 'Cabut tautan', ar: 'إلغاء الرابط' },
  revokeText: {
    en: 'The old link leads nowhere any more; there is a new one.',
    id: 'Tautan lama tidak berlaku lagi; ada tautan baru.',
    ar: 'لا يعود الرابط القديم صالحاً؛ ويوجد رابط جديد.',
  },
});
