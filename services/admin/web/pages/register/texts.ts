import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Create an account', id: 'Buat akun', ar: 'إنشاء حساب' },
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  email: { en: 'E-mail', id: 'Surel', ar: 'البريد الإلكتروني' },
  password: { en: 'Password', id: 'Kata sandi', ar: 'كلمة المرور' },
  passwordHint: { en: '12 characters at least.', id: 'Minimal 12 karakter.', ar: '12 حرفاً على الأقل.' },
  organization: { en: 'Organization name (optional)', id: 'Nama organisasi (opsional)', ar: 'اسم المؤسسة (اختياري)' },
  create: { en: 'Create account', id: 'Buat akun', ar: 'إنشاء الحساب' },
  known: { en: 'You have one?', id: 'Sudah punya?', ar: 'لديك حساب؟' },
  signIn: { en: 'Sign in', id: 'Masuk', ar: 'تسجيل الدخول' },
  off: {
    en: 'Signing up is off in this demo. Sign in with the account that you were given.',
    id: 'Pendaftaran dimatikan di demo ini. Masuklah dengan akun yang diberikan kepada Anda.',
    ar: 'التسجيل معطّل في هذا العرض التجريبي. سجّل الدخول بالحساب الذي أُعطي لك.',
  },
});
