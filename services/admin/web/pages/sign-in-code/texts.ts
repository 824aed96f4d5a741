import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Enter your code', id: 'Masukkan kode Anda', ar: 'أدخل الرمز' },
  code: { en: 'Code', id: 'Kode', ar: 'الرمز' },
  hint: {
    en: 'Six digits of your authenticator app, or one of your backup codes.',
    id: 'Enam digit dari aplikasi autentikator Anda, atau salah satu kode cadangan.',
    ar: 'ستة أرقام من تطبيق المصادقة، أو أحد رموزك الاحتياطية.',
  },
  verify: { en: 'Verify', id: 'Verifikasi', ar: 'تحقق' },
  back: { en: 'Sign in anew', id: 'Masuk lagi', ar: 'تسجيل الدخول من جديد' },
});
