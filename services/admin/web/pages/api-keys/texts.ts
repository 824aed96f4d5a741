import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'API keys', id: 'Kunci API', ar: 'مفاتيح API' },
  create: { en: 'Create API key', id: 'Buat kunci API', ar: 'إنشاء مفتاح API' },
  submit: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  permissions: { en: 'Permissions', id: 'Izin', ar: 'الصلاحيات' },
  permissionsHint: {
    en: 'None chosen: all that you may do.',
    id: 'Tidak ada yang dipilih: semua yang boleh Anda lakukan.',
    ar: 'بلا اختيار: كل ما يحق لك.',
  },
  profiles: { en: 'Profiles', id: 'Profil', ar: 'الملفات الشخصية' },
  profilesHint: {
    en: 'None chosen: every profile.',
    id: 'Tidak ada yang dipilih: semua profil.',
    ar: 'بلا اختيار: كل ملف.',
  },
  networks: { en: 'Allowed networks', id: 'Jaringan yang diizinkan', ar: 'الشبكات المسموح بها' },
  networksHint: {
    en: 'Addresses or blocks such as 192.0.2.0/24, one a line. Empty: from everywhere.',
    id: 'Alamat atau blok seperti 192.0.2.0/24, satu per baris. Kosong: dari mana saja.',
    ar: 'عناوين أو كتل مثل 192.0.2.0/24، واحد في كل سطر. فارغ: من أي مكان.',
  },
  days: { en: 'Expires in days', id: 'Kedaluwarsa dalam hari', ar: 'تنتهي بعد أيام' },
  daysHint: { en: 'Empty: never.', id: 'Kosong: tidak pernah.', ar: 'فارغ: أبداً.' },
  key: { en: 'API key', id: 'Kunci API', ar: 'مفتاح API' },
  keyHint: {
    en: 'Copy it now: it is shown this once.',
    id: 'Salin sekarang: hanya ditampilkan sekali.',
    ar: 'انسخه الآن: يظهر مرة واحدة فقط.',
  },
  lastUsed: { en: 'Last used', id: 'Terakhir dipakai', ar: 'آخر استخدام' },
  expires: { en: 'Expires', id: 'Kedaluwarsa', ar: 'ينتهي' },
  never: { en: 'Never', id: 'Tidak pernah', ar: 'أبداً' },
  all: { en: 'All', id: 'Semua', ar: 'الكل' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  delete: { en: 'Delete', id: 'Hapus', ar: 'حذف' },
  deleteText: {
    en: '“{name}” stops working at once, and so do keys that were made with it.',
    id: '“{name}” langsung berhenti berfungsi, begitu pula kunci yang dibuat dengannya.',
    ar: 'يتوقف «{name}» عن العمل فوراً، وكذلك المفاتيح التي أُنشئت به.',
  },
  deleted: { en: 'API key deleted.', id: 'Kunci API dihapus.', ar: 'تم حذف مفتاح API.' },
  empty: { en: 'No API keys yet', id: 'Belum ada kunci API', ar: 'لا مفاتيح API بعد' },
  emptyText: {
    en: 'A program asks the API with a key. Create one for each program.',
    id: 'Program memakai API dengan kunci. Buat satu untuk setiap program.',
    ar: 'يستخدم البرنامج الواجهة بمفتاح. أنشئ مفتاحاً لكل برنامج.',
  },
});
