import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Groups', id: 'Grup', ar: 'المجموعات' },
  create: { en: 'Create group', id: 'Buat grup', ar: 'إنشاء مجموعة' },
  submit: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  created: { en: 'Group created.', id: 'Grup dibuat.', ar: 'تم إنشاء المجموعة.' },
  open: { en: 'Open the group', id: 'Buka grup', ar: 'فتح المجموعة' },
  members: { en: 'Members', id: 'Anggota', ar: 'الأعضاء' },
  made: { en: 'Created', id: 'Dibuat', ar: 'أُنشئت' },
  empty: { en: 'No groups yet', id: 'Belum ada grup', ar: 'لا مجموعات بعد' },
  emptyText: {
    en: 'The profile is in no group. Create one, or let somebody add its number.',
    id: 'Profil ini tidak ada di grup mana pun. Buat grup, atau minta seseorang menambahkan nomornya.',
    ar: 'الملف ليس في أي مجموعة. أنشئ واحدة أو اطلب من أحدهم إضافة رقمه.',
  },
  noProfile: { en: 'No profiles yet', id: 'Belum ada profil', ar: 'لا ملفات شخصية بعد' },
  noProfileText: {
    en: 'Groups are those of a linked number. Create a profile and connect it first.',
    id: 'Grup adalah milik nomor yang tertaut. Buat dan hubungkan profil dahulu.',
    ar: 'المجموعات تخص رقماً مرتبطاً. أنشئ ملفاً شخصياً واتصل أولاً.',
  },
});
