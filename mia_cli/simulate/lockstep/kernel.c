/* The kernel of `mia simulate` in C: plays the matches of numpy_kernel.py, with the same numbers, so with the same turns.
 *
 * It knows no rule, no claim and no player: all of that is in tables that Python generates
 * (compiled_kernel.py, which lays out the structures below). The random numbers are those of draws.py.
 *
 * BESIDE matches are played in turns, a turn of each: the processor works on one while it waits for
 * the look-ups of the others, which do not depend on it. More than four do not help.
 *
 * Where players' tables depend on the lives, tables are built when they are first met. A match that
 * meets a missing one is set aside in `waiting`; the caller builds what is missing and calls again.
 */
#include <stdint.h>

#define BESIDE 4
#define LONGEST 1024  /* turns that a match has numbers for; none is as long */
#define PLACES 8      /* room for places in an index */
#define EVENTS 8      /* room for events in an index */
#define AMOUNTS 4     /* room for amounts of lives in an index */
#define LIVES_BITS 3  /* of a place, in a word with the lives of all */
#define COLUMN_BITS 5 /* of the number of columns, in `rows` */

enum { ANSWERING, ROLLING };

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define RARELY(condition) __builtin_expect(!!(condition), 0)

/* Where a match stands. Nodes from `game.over` on are matches won.
 * Of a small game, a node is a situation in one seating, and `follow` knows all that comes next.
 * Otherwise (`game.apart`) it is who lives and who rolls; match.lives and match.seating are kept apart. */
typedef struct {
    uint32_t rolls, answers;   /* together: keys of the tables of the two who act */
    uint32_t pair;             /* together: the two players, as an index of `block.events` */
    uint8_t places[2];         /* apart: ANSWERING, ROLLING */
    uint16_t unused;
} node;

/* Who sits at a place (a distance from the seat that leads first) of a seating. */
typedef struct {
    uint32_t player; /* as named */
    uint32_t first;  /* key of the first of its tables; those by lives follow */
} place;

/* What follows a claim and its answer. */
typedef struct {
    uint16_t standing; /* the claim to beat in the next turn, as an offset in `rows` */
    uint8_t event;     /* as in situations.py */
    uint8_t amount;    /* of lives lost */
} consequence;

typedef struct {
    uint64_t counter;   /* of draws.py, plus one, times GAMMA */
    uint32_t node, standing;
    uint32_t lives;     /* apart: LIVES_BITS for each place */
    uint32_t seating;   /* apart: its first entry in `places` */
    uint32_t wanted[2]; /* of a match that waits: keys of the tables it needs */
} match;

typedef struct {
    const int64_t *row, *answer;     /* [key] where a table starts in `rows` and `answers`; or -1 */
    const uint32_t *rows;            /* [row + standing + outcome] first column, number of columns */
    const uint64_t *columns;         /* a threshold; the codes of a claim, from it on and below it */
    const uint32_t *answers;         /* [answer + code / 2] numbers below this one challenge */
    const consequence *consequences; /* [code * 2 + challenged] */
    const node *nodes;
    const uint16_t *follow;          /* [node * EVENTS + event] next node */
    const uint16_t *follow_out;      /* apart: the same where that takes the last lives of the loser */
    const uint16_t *starts;          /* [seating] node where a match starts */
    const uint8_t *loses;            /* [event] ANSWERING or ROLLING */
    const uint8_t *lives_after;      /* [lives * AMOUNTS + amount] */
    const place *places;             /* [seating * PLACES + place] */
    uint64_t dice_key, decision_key;
    uint32_t outcomes, players, seatings, over, full_lives, apart, by_lives, unused;
} game;

typedef struct {
    uint64_t next, end; /* matches that have not started */
    int64_t *wins;      /* [seating * players + place] */
    int64_t *events;    /* [(roller * players + answering) * EVENTS + event] */
    match *waiting;
    uint64_t waiting_count, waiting_room;
    uint32_t *turns;    /* traced: outcome << 16 | code * 2 + challenged, match after match */
    uint64_t *ends;     /* traced: of every match, the turns up to its end */
    uint64_t turn_count, turn_room, end_count;
} block;

#ifndef MIA_SOURCE
#define MIA_SOURCE ""
#endif
/* What this was built from: see library.py. */
const char *const mia_source = MIA_SOURCE;

#define GAMMA 0x9E3779B97F4A7C15ULL

/* The mix of SplitMix64 but for its last step. */
ALWAYS_INLINE uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    return (z ^ z >> 27) * 0x94D049BB133111EBULL;
}

/* The lives by distance from a place. */
ALWAYS_INLINE uint32_t lives_from(uint32_t players, uint32_t lives, uint32_t place)
{
    const uint32_t bits = LIVES_BITS * players, shift = LIVES_BITS * place;
    return (lives >> shift | lives << (bits - shift)) & ((1u << bits) - 1);
}

/* Play a turn. Returns 0, and nothing has happened, where a table is missing. */
ALWAYS_INLINE int play_turn(const game *g, block *b, match *m, int apart, int by_lives, int traced)
{
    const node *at = &g->nodes[m->node];
    uint32_t rolls = at->rolls, answers = at->answers, pair = at->pair;
    if (apart) {
        const place *seats = &g->places[m->seating];
        const place rolling = seats[at->places[ROLLING]], answering = seats[at->places[ANSWERING]];
        const uint32_t lives = by_lives ? lives_from(g->players, m->lives, at->places[ROLLING]) : 0;
        rolls = rolling.first + lives;
        answers = answering.first + lives;
        pair = rolling.player * g->players + answering.player;
    }
    const int64_t row = g->row[rolls], answer = g->answer[answers];
    if (by_lives && RARELY((row | answer) < 0)) {
        m->wanted[0] = rolls;
        m->wanted[1] = answers;
        return 0;
    }

    const uint64_t outcome = (mixed(m->counter + g->dice_key) >> 33) * g->outcomes >> 31;
    uint64_t word = mixed(m->counter + g->decision_key);
    word ^= word >> 31;
    m->counter += GAMMA;

    const uint32_t columns = g->rows[(uint64_t)row + m->standing + outcome];
    const uint64_t drawn = (word >> 32) * (columns & ((1u << COLUMN_BITS) - 1));
    const uint64_t column = g->columns[(columns >> COLUMN_BITS) + (drawn >> 32)];
    const uint32_t code = column >> (drawn << 32 >= column ? 16 : 0) & 0xFFFF;
    const uint32_t challenged = (word & 0x7FFFFFFF) < g->answers[(uint64_t)answer + (code >> 1)];
    if (traced)
        b->turns[b->turn_count++] = (uint32_t)outcome << 16 | code * 2 | challenged;

    const consequence after = g->consequences[code * 2 | challenged];
    b->events[pair * EVENTS + after.event]++;
    m->standing = after.standing;
    const uint16_t *follow = g->follow;
    if (apart) {
        const uint32_t loser = at->places[g->loses[after.event]]; /* no branch: nobody could guess it */
        const uint32_t shift = LIVES_BITS * loser, had = m->lives >> shift & ((1u << LIVES_BITS) - 1);
        const uint32_t left = g->lives_after[had * AMOUNTS + after.amount];
        m->lives ^= (had ^ left) << shift;
        follow = left ? g->follow : g->follow_out;
    }
    m->node = follow[m->node * EVENTS + after.event];
    return 1;
}

/* The next match to be played; returns 0 where there is none, or no room for what it may need. */
ALWAYS_INLINE int begin(const game *g, block *b, match *m, uint64_t *resumed, uint64_t kept, int traced)
{
    if (*resumed < b->waiting_count) {
        *m = b->waiting[(*resumed)++];
        return 1;
    }
    if (b->next == b->end || kept + BESIDE > b->waiting_room)
        return 0;
    /* One match after another: it has to wait for the match before it, if that one waits for a table. */
    if (traced && (kept || b->turn_count + LONGEST > b->turn_room))
        return 0;
    const uint32_t seating = (uint32_t)(b->next % g->seatings);
    *m = (match){.counter = (b->next * LONGEST + 1) * GAMMA, .node = g->starts[seating]};
    if (g->apart) {
        m->lives = g->full_lives;
        m->seating = seating * PLACES;
    }
    b->next++;
    return 1;
}

ALWAYS_INLINE void play(const game *shared, block *b, int apart, int by_lives, int traced)
{
    const game copy = *shared, *g = &copy; /* that nothing that is written can change it */
    uint64_t resumed = 0, kept = 0;
    match beside[BESIDE];
    int active = 0;

    while (active < (traced ? 1 : BESIDE) && begin(g, b, &beside[active], &resumed, kept, traced))
        active++;
    while (active)
        for (int i = 0; i < active; i++) {
            match *m = &beside[i];
            const int played = play_turn(g, b, m, apart, by_lives, traced);
            if (played && !RARELY(m->node >= g->over))
                continue;
            if (!played) {
                b->waiting[kept++] = *m; /* never ahead of those that have not been resumed */
            } else {
                b->wins[m->seating / PLACES * g->players + m->node - g->over]++;
                if (traced)
                    b->ends[b->end_count++] = b->turn_count;
            }
            if (!begin(g, b, m, &resumed, kept, traced))
                *m = beside[--active];
        }
    b->waiting_count = kept;
}

/* Play the matches that wait, and then those from `next` on, until all are played or none can go on. */
void mia_play(const game *g, block *b)
{
    if (b->turns)
        play(g, b, (int)g->apart, (int)g->by_lives, 1);
    else if (g->apart && g->by_lives)
        play(g, b, 1, 1, 0);
    else if (g->apart)
        play(g, b, 1, 0, 0);
    else if (g->by_lives)
        play(g, b, 0, 1, 0);
    else
        play(g, b, 0, 0, 0);
}
