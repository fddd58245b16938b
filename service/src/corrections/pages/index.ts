export { ReportForm, answeredIn, claimOf, faultsIn } from './report-form.tsx';
