import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Change password', id: 'Ubah kata sandi', ar: 'تغيير كلمة المرور' },
  why: {
    en: 'A temporary password must be changed before anything else. Other sessions end.',
    id: 'Kata sandi sementara harus diubah dahulu. Sesi lain akan berakhir.',
    ar: 'يجب تغيير كلمة المرور المؤقتة قبل أي شيء آخر. تنتهي الجلسات الأخرى.',
  },
  current: { en: 'Current password', id: 'Kata sandi saat ini', ar: 'كلمة المرور الحالية' },
  next: { en: 'New password', id: 'Kata sandi baru', ar: 'كلمة المرور الجديدة' },
  hint: { en: '12 characters at least.', id: 'Minimal 12 karakter.', ar: '12 حرفاً على الأقل.' },
  changed: { en: 'The new password holds.', id: 'Kata sandi baru berlaku.', ar: 'كلمة المرور الجديدة سارية.' },
});
