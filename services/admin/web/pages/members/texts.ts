import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Members', id: 'Anggota', ar: 'الأعضاء' },
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  email: { en: 'E-mail', id: 'Surel', ar: 'البريد الإلكتروني' },
  role: { en: 'Role', id: 'Peran', ar: 'الدور' },
  joined: { en: 'Joined', id: 'Bergabung', ar: 'انضم' },
  you: { en: 'You', id: 'Anda', ar: 'أنت' },
  temporary: { en: 'Invited', id: 'Diundang', ar: 'مدعو' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  invite: { en: 'Invite member', id: 'Undang anggota', ar: 'دعوة عضو' },
  inviteSubmit: { en: 'Invite', id: 'Undang', ar: 'دعوة' },
  roleHint: {
    en: 'Nobody gives more than the own permissions.',
    id: 'Tidak ada yang memberi lebih dari izinnya sendiri.',
    ar: 'لا أحد يمنح أكثر من صلاحياته.',
  },
  password: { en: 'Temporary password', id: 'Kata sandi sementara', ar: 'كلمة مرور مؤقتة' },
  passwordHint: {
    en: 'Hand it over now: it is shown this once, lets in for 7 days, and is changed at the first sign-in.',
    id: 'Serahkan sekarang: hanya ditampilkan sekali, berlaku 7 hari, dan diganti saat pertama masuk.',
    ar: 'سلّمها الآن: تظهر مرة واحدة، وتصلح 7 أيام، وتُغيَّر عند أول دخول.',
  },
  changeRole: { en: 'Change role', id: 'Ubah peran', ar: 'تغيير الدور' },
  changeText: {
    en: 'Holds at once, for all sessions and API keys of {name}.',
    id: 'Langsung berlaku untuk semua sesi dan kunci API {name}.',
    ar: 'يسري فوراً على كل جلسات {name} ومفاتيحه.',
  },
  save: { en: 'Save', id: 'Simpan', ar: 'حفظ' },
  changed: { en: 'Role changed.', id: 'Peran diubah.', ar: 'تم تغيير الدور.' },
  remove: { en: 'Remove', id: 'Keluarkan', ar: 'إزالة' },
  removeText: {
    en: '{name} can no longer sign in. Sessions and API keys end at once; what they did stays.',
    id: '{name} tidak dapat masuk lagi. Sesi dan kunci API langsung berakhir; yang telah dilakukan tetap ada.',
    ar: 'لن يستطيع {name} الدخول بعد الآن. تنتهي الجلسات والمفاتيح فوراً؛ ويبقى ما فعله.',
  },
  removed: { en: 'Member removed.', id: 'Anggota dikeluarkan.', ar: 'تمت إزالة العضو.' },
  empty: { en: 'No members', id: 'Tidak ada anggota', ar: 'لا أعضاء' },
});
