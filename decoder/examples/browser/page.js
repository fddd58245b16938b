import { fetchCatalog, packagedCatalog, readVin } from '@marque/decoder';

const input = document.querySelector('#vin');
const status = document.querySelector('#status');
const report = document.querySelector('#report');

const decoder = await fetchCatalog(packagedCatalog());
status.textContent = 'Ready. Nothing you type leaves this page.';
input.addEventListener('input', show);
show();

function show() {
  report.replaceChildren();
  if (input.value.trim() === '') return;
  const form = readVin(input.value);
  status.textContent = form.kind === 'vin' ? form.vin : form.message;
  if (form.kind === 'vin')
    for (const [name, value] of fieldsOf(decoder.decode(form.vin))) report.append(...line(name, value));
}

function fieldsOf({ specs = {}, technicalSpecs = {}, ...flat }) {
  return Object.entries({ ...flat, ...specs, ...technicalSpecs });
}

function line(name, value) {
  const term = document.createElement('dt');
  const text = document.createElement('dd');
  term.textContent = name;
  text.textContent = Array.isArray(value) ? value.join(', ') : String(value);
  return [term, text];
}
