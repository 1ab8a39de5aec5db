#!/usr/bin/env python3
"""Notes beside what a user would pick instead: ripgrep and grep over the same folder.

Makes an Obsidian vault (always the same one for the same --seed), takes it into an empty home and
measures what people and agents do with it. Every program runs as a whole process. `wall` is what a
user waits; `user` and `kernel` are the CPU times in the program and in the system, which is mostly its
files. All are medians, in ms. Everything that changes notes includes its syncs, so that wall and
kernel depend on the disk: --dir says where to measure.

- What changes many notes begins each time with a store of its own, freshly taken in.
- `resolve-links` needs a store whose links are not made yet, and ingestion makes them: it runs over
  an export whose links were taken out, imported into an empty root, and looked at once.
- `rg -il` and `grep -ril` read the vault's files, warm in the cache. They only name files; ours also
  ranks, and shows the best 50. Of two words they are asked for files with either.
- "copy and sync" is `cp -r` of the vault and `sync -f`: what the disk takes for as many files.

Needs a built `memory`. Without ripgrep (Debian: apt-get install ripgrep) its column stays empty.

    cargo build --release && bench/notes.py
"""
import argparse, collections, json, os, random, shutil, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RARE, COMMON, CHINESE, TWO = "xylograph", "system", "备份", ("database", "restore")

ENGLISH = """the a of to and in is for on with that it as are be this by from at or was not we can you have an which
system data file note project user service team server code test model query index table value result change error
build release review design plan meeting idea question answer example problem reason step way part time week month
database cache memory network client request response message event queue worker thread process command option
function module package library version branch commit merge deploy backup restore monitor metric budget report
customer feature interface document chapter summary reading writing research paper method experiment sample
simple small large fast slow new old open closed local remote shared private public stable broken missing useful
use make keep find show write read run start stop add remove move copy check compare measure explain describe
should could would must may because when where while before after until although however therefore instead""".split()
STRONG = ["The team decided to keep {} for the next release.", "She prefers {} over the alternatives.",
          "Lesson learned: {} breaks when nobody looks.", "Feedback from the review: {} needs work.",
          "Every Monday we check {}.", "Deadline for {} is 2026-07-15 18:00.", "Alice works on {} with Bob."]
CHINESE_WORDS = """系统 数据 文件 笔记 项目 用户 服务 团队 代码 测试 模型 查询 索引 结果 修改 错误 构建 发布 评审 设计 计划
会议 想法 问题 例子 原因 步骤 方法 时间 数据库 缓存 内存 网络 客户端 请求 消息 事件 队列 进程 命令 选项 函数 模块 版本
分支 合并 部署 恢复 监控 指标 预算 报告 功能 接口 文档 总结 阅读 写作 研究 实验 简单 快速 稳定 重要 使用 保存 查找 显示
需要 可以 应该 因为 所以 但是 如果 然后 我们 他们 这个 那个 一些 已经 没有 进行 通过 关于 以及 或者""".split()
STRONG_CHINESE = ["团队决定继续使用{}。", "用户偏好{}。", "教训：{}没有人看就会出错。", "评审反馈：{}需要改进。",
                  "每周一检查{}。", "{}的截止时间 2026-07-15 18:00。"]
FOLDERS = ["", "inbox", "work", "work/projects", "work/meetings", "people", "reading", "reading/papers", "日记", "知识/技术", "areas/home"]
TAGS = ["work", "idea", "todo", "reading", "project/alpha", "project/beta", "health", "技术", "生活", "读书", "ops", "draft"]


class Writer:
    """Writes notes that look like a person's; the same ones for the same seed."""

    def __init__(self, seed, count):
        self.chance, self.count = random.Random(seed), count
        syllables = "ka lo mi ren tas vo pel dri sun mar qui ban tor len fi gra no bel cha ster".split()
        tail = sorted({"".join(self.chance.choices(syllables, k=self.chance.choice((2, 3, 4)))) for _ in range(20_000)})
        signs = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"
        names = sorted({a + b for a in signs for b in signs if a != b})
        self.chance.shuffle(names)
        self.languages = {"en": self.dictionary(ENGLISH + tail), "zh": self.dictionary(CHINESE_WORDS + names[:4000])}

    @staticmethod
    def dictionary(words):
        """Words with Zipf's weights, summed up for quick choices."""
        total, sums = 0.0, []
        for rank in range(len(words)):
            total += 1 / (rank + 3)
            sums.append(total)
        return words, sums

    def words(self, language, number):
        words, sums = self.languages[language]
        return self.chance.choices(words, cum_weights=sums, k=number)

    def title(self, n):
        language = "en" if n % 2 else "zh"
        words = self.words(language, 3)
        return f"{' '.join(words).capitalize()} {n}" if language == "en" else f"{''.join(words)}{n}"

    def sentence(self, language):
        number = self.chance.randint(6, 18)
        if self.chance.random() < 0.06:
            strong = self.chance.choice(STRONG if language == "en" else STRONG_CHINESE)
            joint = " " if language == "en" else ""
            return strong.format(joint.join(self.words(language, 2)))
        if language == "en":
            return " ".join(self.words("en", number)).capitalize() + "."
        if self.chance.random() < 0.04:
            return "".join(self.words("zh", number // 2)) + CHINESE + "。"
        return "".join(self.words("zh", number // 2)) + "，" + "".join(self.words("zh", number // 2)) + "。"

    def note(self, n, titles):
        chance, kind = self.chance, n % 20
        size = min(20_000, int(chance.lognormvariate(6.75, 1.0)))
        parts, used = [f"# {titles[n]}\n"], 0
        while used < size:
            language = "zh" if kind < 9 else "en" if kind < 18 else chance.choice(["en", "zh"])
            line = (" " if language == "en" else "").join(self.sentence(language) for _ in range(chance.randint(1, 5)))
            parts.append(f"- {line}" if chance.random() < 0.2 else f"\n{line}\n")
            used += len(line.encode())
        for _ in range(min(12, int(chance.expovariate(1 / 4.4)))):
            target = titles[chance.randrange(self.count)] if chance.random() < 0.92 else f"Nowhere {chance.randrange(5000)}"
            mark = chance.choice(["See [[{}]].", "[[{}|there]]", "- [[{}#Part]]"])
            parts.insert(chance.randrange(1, len(parts) + 1), mark.format(target))
        if chance.random() < 0.4:
            parts.append("#" + chance.choice(TAGS))
        if n % (self.count // 3) == 7:
            parts.append(f"A {RARE} hangs on the wall.")
        body = "\n".join(parts) + "\n"
        return self.head(n, titles) + body if chance.random() < 0.6 else body

    def head(self, n, titles):
        chance, lines = self.chance, ["---"]
        lines += ["tags:"] + [f"  - {tag}" for tag in chance.sample(TAGS, chance.randint(1, 3))]
        if chance.random() < 0.3:
            lines.append(f"aliases: [{titles[n].split()[0]}-{n}]")
        lines += [f"created: 2025-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}", "cssclass: wide", "---", ""]
        return "\n".join(lines)


def vault(top, seed, count):
    writer = Writer(seed, count)
    titles = [writer.title(n) for n in range(count)]
    sizes = []
    for n in range(count):
        folder = os.path.join(top, writer.chance.choice(FOLDERS))
        os.makedirs(folder, exist_ok=True)
        text = writer.note(n, titles).encode()
        sizes.append(len(text))
        with open(os.path.join(folder, titles[n] + ".md"), "wb") as file:
            file.write(text)
    return sizes


class Took(collections.namedtuple("Took", "wall user kernel")):
    @property
    def cpu(self):
        return self.user + self.kernel


def took(command, env, cwd):
    """Runs a command; its output goes to a file, for grep does not work for /dev/null."""
    with tempfile.TemporaryFile() as out:
        begin = time.perf_counter()
        child = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))} ended with {child.returncode}")
    return Took(wall * 1000, usage.ru_utime * 1000, usage.ru_stime * 1000)


def median(samples):
    return Took(*(statistics.median(column) for column in zip(*samples)))


def shown(took):
    return f"{took.wall:9.1f} {took.user:9.1f} {took.kernel:9.1f}"


class Bench:
    def __init__(self, binary, top, home):
        self.binary, self.top = binary, top
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MEMORY_")}
        self.env = dict(clean, HOME=home)
        self.samples = collections.defaultdict(list)

    def run(self, name, root, *arguments):
        command = [self.binary, "--root", root, *arguments]
        self.samples[name].append(took(command, self.env, self.top))

    def answer(self, root, *arguments):
        command = [self.binary, "--root", root, "--json", *arguments]
        return json.loads(subprocess.run(command, env=self.env, cwd=self.top, capture_output=True, check=True).stdout)

    def fresh(self, name):
        return tempfile.mkdtemp(prefix=f"{name}-", dir=self.top)


def changes_of_many(bench, folder, rounds):
    """Ingests, dreams, undoes, exports and imports; returns a root for the commands that follow."""
    for _ in range(rounds):
        for level in "123":
            root = bench.fresh("root")
            bench.run("ingest, first time", root, "ingest", "--source", "obsidian", "--path", folder)
            bench.run(f"dream --level {level}", root, "dream", "--level", level)
            if level == "3":
                bench.run("dream --level 3, again", root, "dream", "--level", "3")
            else:
                bench.run(f"undo of dream {level}", root, "undo")
            shutil.rmtree(root)
    root = bench.fresh("root")
    bench.run("ingest, first time", root, "ingest", "--source", "obsidian", "--path", folder)
    for _ in range(rounds):
        bench.run("ingest, nothing new", root, "ingest", "--source", "obsidian", "--path", folder)
    exported, stripped = os.path.join(bench.top, "all.jsonl"), os.path.join(bench.top, "stripped.jsonl")
    for _ in range(rounds):
        bench.run("export", root, "export", "--output", exported)
    with open(exported) as lines, open(stripped, "w") as out:
        for line in lines:
            out.write(json.dumps(dict(json.loads(line), links=[]), ensure_ascii=False) + "\n")
    for _ in range(rounds):
        empty = bench.fresh("root")
        bench.run("import", empty, "import", "--input", stripped)
        bench.answer(empty, "list", "--limit", "1")
        bench.run("resolve-links", empty, "resolve-links")
        bench.run("resolve-links, again", empty, "resolve-links")
        shutil.rmtree(empty)
    return root


def changes_of_one(bench, root, rounds):
    """Comes last: the store is then a little different from the vault."""
    bench.answer(root, "list", "--limit", "1")
    some = [note["id"] for note in bench.answer(root, "list", "--limit", str(rounds))["memories"]]
    for n, note in enumerate(some):
        bench.run("read ID", root, "read", note)
        bench.run("tag ID", root, "tag", note, "--add", f"bench{n}")
        bench.run("write", root, "write", f"Note {n} that was not there before", "--category", "knowledge")
        bench.run("delete ID", root, "delete", note)


def looks(bench, root, rounds):
    for _ in range(rounds):
        bench.run("(nothing: --version)", root, "--version")
        bench.run("list", root, "list")
        bench.run("list --limit 20", root, "list", "--limit", "20")
        bench.run("backlinks ID", root, "backlinks", bench.some)


def searches(bench, root, folder, rounds):
    """Asks all in turns; returns what each took, and how many notes each found."""
    questions = {"search, rare word": [RARE], "search, common word": [COMMON], "search, Chinese word": [CHINESE],
                 "search, two words": list(TWO)}
    rivals = {name: [] for name in ("rg", "grep") if shutil.which(name)}
    rows = {}
    for title, words in questions.items():
        either = [part for word in words for part in ("-e", word)]
        commands = {"memory": [bench.binary, "--root", root, "search", " ".join(words)]}
        if "rg" in rivals:
            commands["rg"] = ["rg", "-il", *either, folder]
        if "grep" in rivals:
            commands["grep"] = ["grep", "-ril", *either, folder]
        times = {name: [] for name in commands}
        for turn in range(rounds + 1):
            for name, command in commands.items():
                once = took(command, bench.env, bench.top)
                if turn:
                    times[name].append(once)
        found = bench.answer(root, "search", " ".join(words), "--limit", "1")["total"]
        rows[title] = ({name: median(samples) for name, samples in times.items()}, found)
    return rows


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", default=os.path.join(HERE, "target/release/memory"))
    options.add_argument("--notes", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=11, help="of what is quick")
    options.add_argument("--slow-rounds", type=int, default=3, help="of what changes many notes")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--dir", help="measure below this folder (default: the system's temporary one)")
    options.add_argument("--vault", help="write the vault here, and stop")
    chosen = options.parse_args()
    if chosen.vault:
        vault(chosen.vault, chosen.seed, chosen.notes)
        return
    top = tempfile.mkdtemp(prefix="bench-notes-", dir=chosen.dir)
    try:
        measure(chosen, top)
    finally:
        shutil.rmtree(top, ignore_errors=True)


def measure(chosen, top):
    folder, home = os.path.join(top, "vault"), os.path.join(top, "home")
    os.makedirs(home)
    sizes = sorted(vault(folder, chosen.seed, chosen.notes))
    print(f"{len(sizes)} notes, {sum(sizes) / 1e6:.1f} MB; median {sizes[len(sizes) // 2]} bytes, "
          f"largest {sizes[-1]}; {os.cpu_count()} cores")
    print("medians of whole processes, ms; (Nx) = so many times longer than memory\n")
    if not shutil.which("rg"):
        print("ripgrep is not here (Debian: apt-get install ripgrep): its column stays empty\n")
    bench = Bench(chosen.bin, top, home)
    for _ in range(chosen.slow_rounds):
        copy = bench.fresh("copy")
        bench.samples["(copy and sync)"].append(
            took(["sh", "-c", f"cp -r '{folder}' '{copy}' && sync -f '{copy}'"], bench.env, top))
        shutil.rmtree(copy)
    root = changes_of_many(bench, folder, chosen.slow_rounds)
    bench.some = bench.answer(root, "list", "--limit", "1")["memories"][0]["id"]
    looks(bench, root, chosen.rounds)
    asked = searches(bench, root, folder, chosen.rounds)
    changes_of_one(bench, root, chosen.rounds)
    print(f"{'':<24}{'wall':>9} {'user':>9} {'kernel':>9}")
    for name, samples in bench.samples.items():
        middle = median(samples)
        rate = f"   {len(sizes) / middle.wall * 1000:.0f} notes/s" if name == "ingest, first time" else ""
        print(f"{name:<24}{shown(middle)}{rate}")
    print(f"\n{'':<24}{'wall':>9} {'user':>9} {'kernel':>9}    {'found':>6}   rg -il: wall, CPU                 grep -ril: wall, CPU")
    for title, (times, found) in asked.items():
        ours = times["memory"]
        cells = [f"{times[name].wall:7.1f} ({times[name].wall / ours.wall:4.1f}x) {times[name].cpu:7.1f} "
                 f"({times[name].cpu / ours.cpu:4.1f}x)" if name in times else "-".center(33) for name in ("rg", "grep")]
        print(f"{title:<24}{shown(ours)}    {found:>6}   {'   '.join(cells)}")


if __name__ == "__main__":
    main()
