/** The sign of the service: three sizes side by side. The name stands beside it or is told otherwise. */
export function Mark() {
  return (
    <span aria-hidden="true" className="flex items-end gap-[2px]">
      <i className="block h-4 w-[5px] rounded-[1px] bg-accent" />
      <i className="block h-[10px] w-[10px] rounded-[1px] bg-accent" />
      <i className="block h-[6px] w-[7px] rounded-[1px] bg-accent" />
    </span>
  );
}
